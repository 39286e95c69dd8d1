import { IncomingWebhook } from '@slack/webhook';

import { config, request, run } from './driver.js';

const bot = await request(config.accounts.owner, 'POST', '/bots', {
  full_name: 'Slack webhook',
  short_name: 'slack-webhook-in',
  bot_type: 2,
});
const params = new URLSearchParams({
  api_key: bot.api_key,
  stream: config.channel,
  topic: config.topic,
});
const webhook = new IncomingWebhook(`${config.site}/api/v1/external/slack_incoming?${params}`);

const sendText = () => webhook.send('The build is *done*: <https://ci.example/7|number 7>');

const sendBlocks = () =>
  webhook.send({
    text: 'A release',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Release 7' } },
      { type: 'section', text: { type: 'mrkdwn', text: 'Three changes by _Alice_' } },
    ],
  });

const sendAttachment = () =>
  webhook.send({
    attachments: [{ title: 'Disk', text: 'Full on `db1`', fallback: 'Disk full', color: 'danger' }],
  });

await run(sendText, sendBlocks, sendAttachment);
