export { FurtherFigures } from './FurtherFigures.tsx';
export { Header } from './Header.tsx';
