export { OwnersPanel } from './OwnersPanel.tsx';
