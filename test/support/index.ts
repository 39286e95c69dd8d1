export { type Json, type Params, type Reply, call, encode } from './http.ts';
export { type Event, type Listener, headOf } from './listener.ts';
export { type Differing, type Person, basic } from './person.ts';
export { type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
export { type NewPerson, type TestRealm, realm } from './realm.ts';
export { type World, getWorld, takeBugs } from './world.ts';
