import {
  type Person,
  createChannel,
  deliverDue,
  inSeconds,
  say,
  succeed,
  tell,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const soon = () => inSeconds(3600);

const schedule = async (by: Person, message: object): Promise<number> =>
  (await succeed(by.post('/scheduled_messages', { scheduled_delivery_timestamp: soon(), ...message })))
    .scheduled_message_id;

const remind = async (by: Person, message_id: number): Promise<number> =>
  (await succeed(by.post('/reminders', { message_id, scheduled_delivery_timestamp: soon() }))).reminder_id;

/** What people have sent later. */
export const actions: Actions = {
  async 'messages, scheduled, changed, thrown away, sent and failed'({ owner, alice, bob, guest }) {
    const [plans, closed] = [
      await createChannel(alice, 'plans', [alice, bob, guest]),
      await createChannel(owner, 'closed', [owner, alice]),
    ];
    const [edited, removed] = [
      await schedule(alice, { type: 'direct', to: [bob.id], content: 'one' }),
      await schedule(alice, { type: 'direct', to: [bob.id], content: 'two' }),
    ];
    await schedule(alice, { type: 'channel', to: closed, topic: 't', content: 'three' });
    await schedule(guest, { type: 'channel', to: plans, topic: 't', content: '@**Bob**, four' });
    await succeed(owner.delete(`/streams/${closed}`));
    return async () => {
      await schedule(bob, { type: 'direct', to: [bob.id], content: 'five' });
      await succeed(
        alice.patch(`/scheduled_messages/${edited}`, {
          type: 'channel',
          to: plans,
          topic: 'later',
          content: 'six',
        }),
      );
      await succeed(alice.delete(`/scheduled_messages/${removed}`));
      await deliverDue(alice);
      await deliverDue(guest);
      await schedule(alice, { type: 'channel', to: plans, topic: 't', content: 'seven' });
    };
  },

  'reminders, made, thrown away and given': inNewRealm(async ({ alice, bob, guest }) => {
    const plans = await createChannel(alice, 'plans', [alice, bob, guest]);
    const ids = [await say(bob, plans), await tell(bob, [alice]), await say(alice, plans)];
    const [first = 0, second = 0, third = 0] = ids;
    await remind(alice, first);
    const dropped = await remind(bob, third);
    return async () => {
      await remind(alice, second);
      await succeed(bob.delete(`/reminders/${dropped}`));
      await deliverDue(alice);
      await remind(alice, third);
      await remind(guest, first);
    };
  }),
};

const messages = 'messages, scheduled, changed, thrown away, sent and failed';
const reminders = 'reminders, made, thrown away and given';

export const exercised: Exercised = {
  'actions/reminders/create': reminders,
  'actions/reminders/deliver': reminders,
  'actions/reminders/remove': reminders,
  'actions/scheduled-messages/create': messages,
  'actions/scheduled-messages/deliver': messages,
  'actions/scheduled-messages/edit': messages,
  'actions/scheduled-messages/remove': messages,
};
