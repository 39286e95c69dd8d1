export { listStalePageAddresses } from './find.ts';
