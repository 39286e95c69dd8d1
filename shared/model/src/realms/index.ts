export { findLogHead, findRealm, findRenamedRealm, getLogHead, getRealm } from './find.ts';
export { listRealms } from './list.ts';
export { realmNameProblem, takenNameProblem } from './name.ts';
export { idsForHistory } from './ids-for-history.ts';
export { operatorOf } from './operator.ts';
export {
  presentRealmPicture,
  type RealmPictureKind,
  realmPictureColumns,
  realmPictureKinds,
  realmPictureUrl,
} from './pictures.ts';
export { emailDomainOf, neighbourUrl, realmAt, type Site } from './site.ts';
export { findSpectator, isOpenToSpectators, isSpectator, presentToSpectators } from './spectator.ts';
