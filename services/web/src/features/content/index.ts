export { Content } from './content.tsx';
export { Html } from './html.tsx';
export { PictureDialog } from './picture.tsx';
