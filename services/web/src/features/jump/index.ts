export { Jump } from './jump.tsx';
