import { Page } from '../../../ui/page.tsx';

export function EmployeeImport() {
  return <Page title="EmployeeImport">{null}</Page>;
}
