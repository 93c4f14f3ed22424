import { Page } from '../../../ui/page.tsx';

export function EmployeeScreen() {
  return <Page title="EmployeeScreen">{null}</Page>;
}
