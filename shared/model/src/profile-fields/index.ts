export { getProfileField, selectProfileFields, sortProfileFields } from './find.ts';
export { profileFieldsEvent } from './present.ts';
export { presentProfileValue } from './profiles.ts';
export { presentRealmProfileFields, profileFieldsState } from './state.ts';
