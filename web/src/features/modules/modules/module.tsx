import { Page } from '../../../ui/page.tsx';

export function ModuleScreen() {
  return <Page title="ModuleScreen">{null}</Page>;
}
