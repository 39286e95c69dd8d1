import {
  createWebhookBot,
  runWebhooks,
  say,
  servicesThatAnswer,
  subscribe,
  tell,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

/** What outgoing-webhook bots do. */
export const actions: Actions = {
  'bots that say what their services answer': inNewRealm(async ({ alice, bob, guest }) => {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const bot = await createWebhookBot(alice, 'https://bots.example/hook');
    await say(bob, 'news', 't', 'hello @**Helper**');
    await tell(guest, [bot]);
    const webhooks = servicesThatAnswer(200, '{"content": "hello @**Bob** and @**Alice**"}');
    return () => runWebhooks({ webhooks });
  }),

  'bots that say that their services refuse': inNewRealm(async ({ alice, bob, guest }) => {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const bot = await createWebhookBot(alice, 'https://bots.example/hook');
    await say(bob, 'news', 't', 'hello @**Helper**');
    await tell(bob, [bot]);
    return () => runWebhooks({ webhooks: servicesThatAnswer(404, 'nothing is here') });
  }),

  'services that take nothing for long': inNewRealm(async ({ alice, bob }) => {
    const bot = await createWebhookBot(alice, 'https://bots.example/hook');
    await tell(bob, [bot]);
    const webhooks = servicesThatAnswer(503, '');
    return async () => {
      for (let hour = 0; hour < 9; hour += 1) {
        await runWebhooks({ webhooks, clock: { nowMs: () => Date.now() + hour * 3_600_000 } });
      }
    };
  }),
};

export const exercised: Exercised = {
  'actions/messages/send/reply': 'bots that say what their services answer',
  'actions/webhook-deliveries/claim': null,
  'actions/webhook-deliveries/failures': null,
  'actions/webhook-deliveries/owner-notice': 'bots that say that their services refuse',
  'actions/webhook-deliveries/service': 'services that take nothing for long',
  'actions/webhook-deliveries/settle': 'bots that say that their services refuse',
};
