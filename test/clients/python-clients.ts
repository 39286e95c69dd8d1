import { type Client, channelName, has, heardWords, includes, isLiked } from './seen.ts';

export const pythonClients: readonly Client[] = [
  {
    name: 'zulip',
    language: 'python',
    does: 'every method of its class, and three of the bots of zulip_bots, each a program of its own',
  },
  {
    name: 'wei',
    language: 'python',
    does: 'notifies a topic and a person',
    checks: {
      'a notification in a topic': ({ topic }) => has(topic, 'The job is **done**.'),
      'a notification of a person': ({ direct }) => has(direct, 'Your job is done.'),
    },
  },
  {
    name: 'notifiers',
    language: 'python',
    does: 'notifies a topic and a person, and is refused',
    checks: {
      'a notification in a topic': ({ topic }) => has(topic, 'The deployment is **done**.'),
      'a notification of a person': ({ direct }) => has(direct, 'Your deployment is done.'),
      'what a refusal says': ({ said }) => said.refuse?.length === 1 && includes(said.refuse[0], 'nowhere'),
    },
  },
  {
    name: 'apprise',
    language: 'python',
    does: 'notifies a topic and a person by one address',
    needsTls: true,
    checks: {
      'a notification in a topic': ({ topic }) => has(topic, 'The backup is **done**.'),
      'a notification of a person': ({ direct }) => has(direct, 'The backup is **done**.'),
      'its word that it succeeded': ({ said }) => said.notify === true,
    },
  },
  {
    name: 'pytest-zulip',
    language: 'python',
    does: 'reports the results of tests',
    checks: {
      'the report of a run': ({ topic }) =>
        topic.some(({ content }) => content.includes('Passed=2 Failed=0')),
    },
  },
  {
    name: 'perceval-zulip',
    language: 'python',
    does: 'fetches the history of a channel',
    checks: {
      'every message of the channel, each once': ({ said, topic }) =>
        includes(said.fetch, heardWords) && topic.every(({ content }) => includes(said.fetch, content)),
    },
  },
  {
    name: 'zlp-cli',
    language: 'python',
    does: 'eleven commands of a shell',
    checks: {
      'who it is': ({ said }) => includes(said.whoami, 'zlp-cli'),
      'its channels': ({ said }) => includes(said.streams, channelName),
      'a message': ({ topic, said }) =>
        topic.some(({ id, content }) => String(id) === said.send && content === 'from a shell'),
      'an edited message': ({ topic }) =>
        topic.some((one) => one.content === 'without a mistake' && one.last_edit_timestamp !== undefined),
      'a deleted message': ({ said, topic }) => 'delete' in said && !has(topic, 'to be deleted'),
      'a direct message': ({ direct }) => has(direct, 'from a shell, to you'),
      'a file': ({ linked }) => linked === 'notes of a shell',
      'the topics of a channel': ({ said }) => includes(said.topics, 'zlp-cli'),
      'the messages of a topic': ({ said }) => includes(said.messages, 'without a mistake'),
      'what a search finds': ({ said }) => said.search?.[0]?.content === 'without a mistake',
      'an archive of a topic': ({ said }) => 'pull' in said,
    },
  },
  {
    name: 'zulip-agent-adapter',
    language: 'python',
    does: 'hears, sends and edits as an agent would',
    checks: {
      'a connection': ({ said }) => said.connect === true,
      'a message that it heard': ({ said }) => includes(said.hear, heardWords),
      'a message': ({ topic }) => has(topic, 'from an agent'),
      'an edited message': ({ topic }) => has(topic, 'revised by an agent'),
      'a direct message': ({ direct }) => has(direct, 'from an agent, to you'),
      'facts of a channel': ({ said }) => said.chat_info?.type === 'channel',
      'a deleted queue': ({ said }) => 'disconnect' in said,
    },
    ownFaults: {
      'an edited message':
        'It sends the edit as JSON, and the protocol knows forms only: to a server, nothing is to be changed.',
    },
  },
  {
    name: 'ChatZulip',
    language: 'python',
    does: 'every method of its client',
    checks: {
      'who it is': ({ said }) => Number.isInteger(said.profile),
      'a message': ({ topic }) => has(topic, 'from a framework'),
      'a direct message': ({ direct }) => has(direct, 'from a framework, to you'),
      'a reaction': ({ topic }) => isLiked(topic, 'liked'),
      'a reaction without a type named': ({ topic }) => isLiked(topic, 'liked by default'),
      'a file': ({ linked }) => linked === 'a plan',
      'the channels': ({ said }) => includes(said.streams, channelName),
      'its channels': ({ said }) => includes(said.subscriptions, channelName),
      'the topics of a channel': ({ said }) => includes(said.topics, 'ChatZulip'),
      'the newest messages': ({ said }) => said.newest?.length === 3,
      'the whole history of a topic': ({ said, topic }) =>
        topic.every(({ content }) => includes(said.history, content)),
    },
    ownFaults: {
      'a reaction without a type named':
        'It names the type "unicode", which the protocol calls "unicode_emoji", so a server refuses it.',
    },
  },
  {
    name: 'zulipcli',
    language: 'python',
    does: 'eight commands of a shell',
    checks: {
      'a message': ({ topic }) => has(topic, 'from a terminal'),
      'a direct message': ({ direct }) => has(direct, 'from a terminal, to you'),
      'the channels': ({ said }) => includes(said.streams, channelName),
      'the topics of a channel': ({ said }) => includes(said.topics, 'zulipcli'),
      'the messages of a topic': ({ said }) => includes(said.read, 'from a terminal'),
      'direct messages': ({ said }) => includes(said.read_direct, 'from a terminal, to you'),
      'what a search finds': ({ said }) => includes(said.search, 'from a terminal'),
      'the users': ({ said }) => includes(said.users, 'Alice Member'),
    },
  },
];
