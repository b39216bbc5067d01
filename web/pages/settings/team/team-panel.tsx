import { PanelFrame } from '../panel-frame.tsx';
import { TAB_LABEL } from '../tabs.ts';

export function TeamPanel() {
  return <PanelFrame title={TAB_LABEL.team} />;
}
