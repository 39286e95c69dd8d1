declare module 'zulip-js' {
  import type { Json } from '../support/http.ts';

  interface Config {
    realm: string;
    username: string;
    apiKey?: string;
    password?: string;
  }

  type Params = Record<string, unknown>;
  type Call = (params?: Params) => Promise<Json>;

  interface Client {
    queues: { register: Call; deregister: Call };
    events: { retrieve: Call };
    messages: { send: Call; retrieve: Call };
    streams: { retrieve: Call; subscriptions: { retrieve: Call } };
    users: { me: { getProfile: Call; subscriptions: { add: Call } } };
    callOnEachEvent(onEvent: (event: Json) => void, eventTypes: string[]): Promise<void>;
  }

  export default function connect(config: Config): Promise<Client>;
}
