export { WaitsView } from './WaitsView.tsx';
