export { ConflictsView } from './ConflictsView.tsx';
