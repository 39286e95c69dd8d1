export { create } from './create.ts';
export { editUserDefaults } from './edit-user-defaults.ts';
export { edit } from './edit.ts';
export { changePicture } from './change-picture.ts';
export { deactivate } from './deactivate.ts';
