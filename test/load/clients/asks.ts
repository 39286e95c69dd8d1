import type { RequestKind } from '../kinds.ts';
import type { Channel } from '../organizations.ts';
import { someTopic } from '../topics.ts';
import type { Orders } from './messages.ts';
import type { Person } from './person.ts';
import { textAt } from './poller.ts';

const rememberedMax = 1000;

/** A request that somebody makes. */
export interface Ask {
  person: Person;
  method: 'GET' | 'POST';
  path: string;
  fields?: Record<string, string>;
}

/** What people ask for besides their polls: who, and which of what there is, by chance. */
export class Asks {
  private readonly orders: Orders;
  /** How many messages the channels of each organization get, together. */
  private readonly weights: number[];
  private readonly remembered: { person: Person; messageId: number }[] = [];

  constructor(orders: Orders) {
    this.orders = orders;
    this.weights = orders.organizations.map(({ channels }) =>
      channels.reduce((sum, { weight }) => sum + weight, 0),
    );
  }

  /** Somebody has a message that they may mark as read. */
  remember(person: Person, messageId: number): void {
    const index = Math.floor(Math.random() * Math.min(this.remembered.length + 1, rememberedMax));
    this.remembered[index] = { person, messageId };
  }

  make(kind: RequestKind, intendedMs: number): Ask {
    return this.kinds[kind](intendedMs);
  }

  private readonly kinds: Record<RequestKind, (intendedMs: number) => Ask> = {
    presence: () => ({
      person: this.anyPoller(),
      method: 'POST',
      path: '/users/me/presence',
      fields: { status: 'active', ping_only: 'true' },
    }),
    uploads: () => {
      const { organization, account, path } = pick(this.orders.files);
      return { person: this.personOf(organization, account), method: 'GET', path };
    },
    messages: () => {
      const { person, channel } = this.place();
      const narrow = JSON.stringify([['channel', channel.name]]);
      const fields = { anchor: 'newest', num_before: '50', num_after: '0', apply_markdown: 'true', narrow };
      return { person, method: 'GET', path: '/messages', fields };
    },
    flags: () => {
      const { person, messageId } =
        this.remembered.length > 0 ? pick(this.remembered) : { person: this.anyPoller(), messageId: null };
      const fields = {
        messages: JSON.stringify(messageId === null ? [] : [messageId]),
        op: 'add',
        flag: 'read',
      };
      return { person, method: 'POST', path: '/messages/flags', fields };
    },
    send: (intendedMs) => {
      const { person, channel } = this.place();
      const content = textAt(intendedMs);
      const fields = { type: 'channel', to: String(channel.id), topic: someTopic(), content };
      return { person, method: 'POST', path: '/messages', fields };
    },
    register: () => ({
      person: this.anyPoller(),
      method: 'POST',
      path: '/register',
      fields: { apply_markdown: 'true', client_gravatar: 'true' },
    }),
    properties: () => {
      const { person, channel } = this.place();
      const change = { stream_id: channel.id, property: 'color', value: '#c2c2c2' };
      const fields = { subscription_data: JSON.stringify([change]) };
      return { person, method: 'POST', path: '/users/me/subscriptions/properties', fields };
    },
  };

  private personOf(organization: number, account: number): Person {
    const { host, accounts } = this.orders.organizations[organization] ?? { host: '', accounts: [] };
    const { id, authorization } = accounts[account] ?? pick(accounts);
    return { organization, id, authorization, host };
  }

  private anyPoller(): Person {
    const { organization, account } = pick(this.orders.pollers);
    return this.personOf(organization, account);
  }

  /** A channel, by how often messages are sent to it, and one of its members. */
  private place(): { person: Person; channel: Channel } {
    const { organizations, asked, hasOneSender } = this.orders;
    const organization = Math.floor(Math.random() * asked);
    const { channels } = organizations[organization] ?? { channels: [] };
    let rest = Math.random() * (this.weights[organization] ?? 0);
    const channel = channels.find(({ weight }) => (rest -= weight) < 0) ?? pick(channels);
    return { channel, person: this.personOf(organization, hasOneSender ? 0 : pick(channel.members)) };
  }
}

function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}
