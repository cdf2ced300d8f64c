export { PhasesPanel } from './PhasesPanel.tsx';
