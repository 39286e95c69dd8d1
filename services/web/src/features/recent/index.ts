export { Recent } from './recent.tsx';
