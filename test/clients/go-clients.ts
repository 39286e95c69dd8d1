import { type Client, channelName, has, heardWords, includes, isLiked } from './seen.ts';

/** Two libraries of the same origin, each with a service of its own. */
const shoutrrr = (owner: string): Client => ({
  name: `github.com/${owner}/shoutrrr`,
  language: 'go',
  does: 'notifies a topic',
  needsTls: true,
  checks: { 'a notification in a topic': ({ topic }) => has(topic, 'The disk is **full**.') },
});

export const goClients: readonly Client[] = [
  {
    name: 'github.com/ifo/gozulipbot',
    language: 'go',
    does: 'every method of its bots',
    checks: {
      'the channels': ({ said }) => includes(said.streams, channelName),
      'a subscription': ({ said }) => includes(said.subscriptions, channelName),
      'the emoji of the organization': ({ said }) => typeof said.emoji === 'object',
      'a queue': ({ said }) => typeof said.register === 'string',
      'a message that it heard': ({ said }) => includes(said.hear, heardWords),
      'an answer in the topic': ({ topic }) => has(topic, 'Here I am.'),
      'a reaction': ({ topic }) => isLiked(topic, heardWords),
      'a reaction taken back': ({ said, topic }) =>
        'react_again' in said && 'unreact' in said && !isLiked(topic, heardWords, 'heart'),
      'a direct message': ({ direct }) => has(direct, 'from a gopher'),
      'an end of the subscription': ({ said }) => includes(said.unsubscribe, '"removed":["programs"]'),
    },
  },
  shoutrrr('containrrr'),
  shoutrrr('nicholas-fedor'),
];
