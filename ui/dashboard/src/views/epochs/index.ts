export { EpochsPanel } from './EpochsPanel.tsx';
