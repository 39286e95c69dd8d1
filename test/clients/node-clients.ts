import { type Client, has, includes } from './seen.ts';

export const nodeClients: readonly Client[] = [
  {
    name: '@slack/webhook',
    language: 'node',
    does: 'sends a text, blocks and an attachment to the incoming webhook for programs of Slack',
    checks: {
      'a text': ({ topic }) => has(topic, 'The build is **done**: [number 7](https://ci.example/7)'),
      blocks: ({ topic }) =>
        topic.some(({ content }) => content.includes('Release 7') && content.includes('by *Alice*')),
      'an attachment': ({ topic }) =>
        topic.some(({ content }) => content.includes('Disk') && content.includes('Full on `db1`')),
      'its word that it succeeded': ({ said }) => Object.keys(said).length === 3,
    },
  },
  {
    name: 'node-slack',
    language: 'node',
    does: 'answers an outgoing webhook in the format of Slack',
    checks: {
      'its answer': ({ topic, said }) => has(topic, `Good point, ${said.answer?.[0]?.user_name}`),
      'what it was asked': ({ said }) =>
        said.answer?.length === 1 && includes(said.answer[0].text, 'should one eat more fruit?'),
      'the channel that it is told': ({ said }) => said.answer?.[0]?.channel_name === 'programs',
    },
  },
];
