export { groupId } from './groups.ts';
export { uploadEmoji } from './emoji.ts';
export {
  type Json,
  type Params,
  type Reply,
  type SentFile,
  call,
  encodeMultipart,
  multipartType,
  picture,
} from './http.ts';
export { joined } from './joined.ts';
export { type Event, type Listener, headOf } from './listener.ts';
export { type Person, basic } from './person.ts';
export { startPostgresProxy } from './postgres-proxy.ts';
export { type TestRealm, realm } from './realm.ts';
export { succeed } from './succeed.ts';
export { type World, getWorld, takeBugs } from './world.ts';
