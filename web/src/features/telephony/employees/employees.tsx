import { Page } from '../../../ui/page.tsx';

export function Employees() {
  return <Page title="Employees">{null}</Page>;
}
