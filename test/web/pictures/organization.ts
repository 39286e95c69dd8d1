import { connectSql } from '@parley/db';
import { showpiece } from '@parley/infra';

import type { Stage } from '../area.ts';
import { askAs, channelId, tell } from '../as-user.ts';

/** The moment that every picture shows: an evening, three days after a new moon. */
export const now = new Date('2026-09-13T20:30:00Z');
/** What the observatory has not talked about was there before it talked. */
const before = new Date('2026-09-10T09:00:00Z');

/** Who looks: the owner, somebody who writes, and somebody who reads from right to left. */
export const owner = 'Olivia Brandt';
export const writer = 'Alice Chen';
export const reader = 'Carol Haddad';

/** Fragments of what is photographed. */
export interface Places {
  /** The one with a picture, a formula, code and a poll. */
  topic: string;
  /** One of plain text. */
  talk: string;
  channel: string;
  channelId: number;
  privateChannelId: number;
  direct: string;
}

/**
 * Gives the observatory what pictures need, so that nothing in them depends on when they are taken: people read without
 * marking as read and write without drafts at the server, messages are scheduled for a day to come, and everything has a
 * time before the moment that is shown.
 */
export async function arrange(stage: Stage): Promise<Places> {
  const olivia = askAs(stage, owner);
  for (const name of [owner, writer, reader])
    await askAs(stage, name).patch('/settings', {
      web_mark_read_on_scroll_policy: 3,
      enable_drafts_synchronization: name === owner,
      send_stream_typing_notifications: false,
      send_private_typing_notifications: false,
      default_language: name === reader ? 'ar' : 'en',
    });
  const bob = stage.demos.demo('Bob Lindqvist').user_id;
  await tell(
    askAs(stage, 'Bob Lindqvist'),
    stage.demos.demo(reader).user_id,
    'مساء الخير! هل السماء صافية الليلة؟',
  );
  const scheduled_delivery_timestamp = Date.parse('2031-05-06T18:00:00Z') / 1000;
  const general = await channelId(olivia, 'general');
  await olivia.post('/scheduled_messages', {
    type: 'channel',
    to: general,
    topic: 'night shifts',
    content: 'The transit of Mercury begins in an hour. **Filters on**, please.',
    scheduled_delivery_timestamp,
  });
  await olivia.post('/scheduled_messages', {
    type: 'direct',
    to: [bob],
    content: 'Is the filter wheel back?',
    scheduled_delivery_timestamp: scheduled_delivery_timestamp + 86_400,
  });
  await setTimes(stage);
  const id = await channelId(olivia, showpiece.channel);
  const channel = `narrow/channel/${id}-${showpiece.channel}`;
  const dome = await channelId(olivia, 'dome');
  return {
    channel,
    talk: `narrow/channel/${dome}-dome/topic/shutter.20sticks`,
    topic: `${channel}/topic/${showpiece.topic.replace(' ', '.20')}`,
    channelId: id,
    privateChannelId: await channelId(olivia, 'core team'),
    direct: `narrow/dm/${bob}`,
  };
}

/** What no request can make: things of another time. */
async function setTimes({ demos }: Stage): Promise<void> {
  const sql = connectSql({ url: demos.cluster.postgres.url, name: 'pictures', max: 1 });
  try {
    await sql`update messages set sent_at = ${before} where sent_at > ${now}`;
    await sql`update users set joined_at = ${before}, last_active_on = ${now}`;
    await sql`update channels set created_at = ${before}`;
    await sql`update attachments set created_at = ${before}`;
    await sql`update drafts set edited_at = ${now}`;
    await sql`update realms set created_at = ${before}`;
    await sql`update user_groups set created_at = ${before} where created_at is not null`;
  } finally {
    await sql.end();
  }
}
