export { add } from './add.ts';
export { readWidget } from './widget.ts';
