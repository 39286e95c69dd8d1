import { register } from '@parley/api';
import { encodeMembers } from '@parley/db';
import { type PendingEvent, events, notReady } from '@parley/protocol';

import {
  type ApiParts,
  type Node,
  type Reply,
  type Surroundings,
  createApiParts,
  refusalOf,
} from './nodes.ts';
import type { Snapshot } from './postgres/statements.ts';
import type { Place } from './world.ts';

/** The one channel of a realm has its realm's number, as has its conversation; that of direct messages comes behind. */
export const conversationsOf = (realmId: number) => ({ channel: realmId, direct: realmId + 100 });

/** The account that asks. */
export interface Caller {
  realmId: number;
  userId: number;
}

/** What a send depends on besides its text, remembered by the version of the rules. */
interface Plan {
  version: number;
  /** The account that may not write. */
  banned: number | null;
}

const success = (body: object): Reply => ({
  status: 200,
  retryAfter: null,
  body: JSON.stringify({ result: 'success', msg: '', ...body }),
});

const plansTried = 4;
const queuesMax = 1000;

/** Lists that a registration has, of which a client makes its state. */
const emptyLists = Object.fromEntries(
  [
    'realm_users',
    'realm_non_active_users',
    'realm_user_groups',
    'streams',
    'subscriptions',
    'unsubscribed',
    'never_subscribed',
    'starred_messages',
    'recent_private_conversations',
    'drafts',
    'saved_snippets',
    'scheduled_messages',
    'reminders',
    'navigation_views',
  ].map((name) => [name, []]),
);
const emptyState = {
  ...emptyLists,
  user_status: {},
  max_message_id: null,
  unread_msgs: { pms: [], streams: [], huddles: [], mentions: [] },
};

/** Returns a message before it is appended. */
function draftOf({ realmId, userId }: Caller, form: URLSearchParams, rulesVersion: number): PendingEvent {
  const [text, to] = [form.get('content') ?? '', form.get('to')];
  const [queueId, localId] = [form.get('queue_id') ?? '', form.get('local_id') ?? ''];
  const { channel, direct } = conversationsOf(realmId);
  const isDirect = to !== null;
  const shown = {
    type: isDirect ? ('private' as const) : ('stream' as const),
    id: 0,
    timestamp: 0,
    sender_id: userId,
    sender_email: `user${userId}@chat.example`,
    sender_full_name: 'somebody',
    sender_realm_str: `realm${realmId}`,
    recipient_id: 1,
    display_recipient: isDirect ? [] : 'channel',
    ...(!isDirect && { stream_id: channel }),
    subject: 'topic',
    content: text,
    content_type: 'text/html' as const,
    client: 'simulation',
    avatar_url: null,
    is_me_message: false,
    reactions: [],
    submessages: [],
    topic_links: [],
  };
  return {
    event: events.message({
      rendered_content: text,
      is_gravatar: false,
      flags: {},
      echo: { queue_id: queueId, local_id: localId },
      message: shown,
    }),
    ...(isDirect ? { users: [...new Set([userId, Number(to)])] } : { conversations: [channel] }),
    rulesVersion,
    message: {
      conversationId: isDirect ? direct : channel,
      channelId: isDirect ? null : channel,
      topicId: isDirect ? null : 1,
      senderId: userId,
      content: text,
      renderedContent: text,
      renderedVersion: 1,
      client: 'simulation',
      readBy: [userId],
      echo: { queueId, localId },
      has: { link: false, image: false, attachment: false },
      ...(form.get('special') !== null && { mentionsChannel: true }),
    },
  };
}

/** An api node, as far as it sends, registers, and changes who receives what. */
export class ApiNode implements Node {
  readonly role = 'api';
  readonly place: Place;
  readonly cutSql: () => void;
  private readonly parts: ApiParts;
  private readonly plans = new Map<number, Plan>();

  constructor(surroundings: Surroundings, place: Place, skewMs: number) {
    this.place = place;
    this.parts = createApiParts(surroundings, place, skewMs);
    this.cutSql = this.parts.cutSql;
  }

  async serve(path: string, caller: Caller, form: URLSearchParams): Promise<Reply> {
    try {
      return await this.parts.watch.whileAnswering(() => this.answer(path, caller, form));
    } catch (error) {
      return refusalOf(error);
    }
  }

  private async answer(path: string, caller: Caller, form: URLSearchParams): Promise<Reply> {
    switch (path) {
      case '/register':
        return success(await this.register(caller));
      case '/messages':
        return success(await this.send(caller, form));
      case '/typing':
        await this.type(caller);
        return success({});
      case '/members':
        await this.changeMembers(caller, JSON.parse(form.get('members') ?? '[]') as number[]);
        return success({});
      case '/rules':
        await this.ban(caller, JSON.parse(form.get('banned') ?? 'null') as number | null);
        return success({});
      default:
        throw new Error(`There is no ${path}.`);
    }
  }

  private async readPlan(realmId: number): Promise<Plan> {
    const [plan] = await this.parts.sql<Plan[]>`
      select rules_version_of(h)::float8 as version, simulated_ban(h) as banned from realm_heads h
      where realm_id = ${realmId}`;
    if (!plan) throw new Error('There is no such realm.');
    this.plans.set(realmId, plan);
    return plan;
  }

  /** As the engine sends: by a plan that is remembered, and by another if that does not hold any more. */
  private async send(caller: Caller, form: URLSearchParams): Promise<object> {
    const { realmId, userId } = caller;
    let plan = this.plans.get(realmId) ?? (await this.readPlan(realmId));
    for (let tries = 0; tries < plansTried; tries += 1) {
      if (plan.banned === userId) return { id: null };
      const sent = await this.parts.sender.append(realmId, draftOf(caller, form, plan.version));
      if (sent) return { id: sent.messageId };
      plan = await this.readPlan(realmId);
    }
    throw notReady('appends');
  }

  private async register({ realmId, userId }: Caller): Promise<object> {
    const { sql, registry, ephemerals, clock } = this.parts;
    let simulated: object = {};
    const context = {
      actor: { id: userId, role: 400, isSpectator: false },
      realm: { id: realmId, name: `realm${realmId}` },
      client: 'simulation',
      clock,
      snapshot: async <Result>(read: (tx: unknown) => Promise<Result>): Promise<Result> => {
        const [snapshot] = await sql<Snapshot[]>`select simulated_snapshot(${realmId}, ${userId})`;
        if (!snapshot) throw new Error('There is no such realm.');
        const { head, known, readMs } = snapshot;
        simulated = { known, registeredAt: head.seq, registeredMs: readMs };
        return await read({ select: () => ({ from: () => ({ where: () => [head] }) }) });
      },
      queues: {
        newestEphemeral: () => ephemerals.newest(realmId),
        limitRegistrations: <Result>(_realm: unknown, _account: unknown, work: () => Promise<Result>) =>
          work(),
        sharedStates: { at: () => Promise.resolve({}) },
        idForm: () => Promise.resolve('dense'),
        bucketsOf: () => Promise.resolve(2),
        save: (record: Parameters<typeof registry.add>[0]['record']) =>
          registry.add({ record, ttlSeconds: record.idleSeconds }, queuesMax).catch(() => {
            throw notReady('redis');
          }),
      },
    };
    // Safe: where no section of the state is asked for, it takes nothing else of its context.
    const registered = await register(context as unknown as Parameters<typeof register>[0], {
      client: { apply_markdown: true, empty_topic_name: true } as never,
      eventTypes: null,
      fetchTypes: ['nothing'],
      narrow: [],
      allPublicStreams: false,
      includeSubscribers: false as never,
      idleSeconds: 600,
    });
    return { ...emptyState, user_id: userId, simulated, ...registered };
  }

  private async type({ realmId, userId }: Caller): Promise<void> {
    const users = Array.from({ length: 6 }, (_, index) => realmId * 10 + index).filter((id) => id !== userId);
    await this.parts.ephemerals.publish(realmId, {
      users,
      event: {
        type: 'typing',
        op: 'start',
        message_type: 'direct',
        sender: { user_id: userId, email: 'somebody@chat.example' },
        recipients: [],
      },
    });
  }

  /** Publishes what an action has appended. */
  private publish(realmId: number, rows: readonly { seq: number; entry: string }[]): void {
    this.parts.publisher.publish(
      realmId,
      rows.map(({ seq, entry }) => ({ outcome: 'written', seq, messageId: null, entry })),
    );
  }

  private async changeMembers({ realmId }: Caller, members: readonly number[]): Promise<void> {
    const { channel } = conversationsOf(realmId);
    const event = events.realm.update({ property: 'simulated_members', value: members.join(' ') });
    // The new audience and the entry are of one transaction.
    const rows = await this.parts.sql<{ seq: number; entry: string }[]>`
      select * from simulated_change(${realmId}, ${channel}, ${encodeMembers(members)}, ${JSON.stringify([{ event, users: [] }])})`;
    this.publish(realmId, rows);
  }

  private async ban({ realmId }: Caller, banned: number | null): Promise<void> {
    const event = events.realm.update({ property: 'simulated_ban', value: banned });
    const rows = await this.parts.sql<{ seq: number; entry: string }[]>`
      select * from append_events(${realmId}, ${JSON.stringify([{ event }])}::text::jsonb, ${'[]'}::text::jsonb, ${false})`;
    this.publish(realmId, rows);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parts.dispose();
  }
}
