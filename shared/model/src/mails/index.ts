export { type WaitingMail, findMail, listDueMails } from './find.ts';
