export { listDigestReaders, readDigest } from './find.ts';
