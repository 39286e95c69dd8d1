import { z } from 'zod';

import { type Told, integration, kinds } from '../integration.ts';
import { lookUp } from '../look-up.ts';
import { inline, link, quote } from '../markdown.ts';
import { samples } from '../samples/monitors.ts';

const Text = z.union([z.string(), z.number()]).transform(String);

const Robot = z.object({
  monitorFriendlyName: z.string(),
  monitorURL: z.string().nullish(),
  alertType: Text,
  alertDetails: Text.nullish(),
  alertFriendlyDuration: Text.nullish(),
});

/** What UptimeRobot's numbers of alerts mean. */
const robotTypes: Record<string, string> = { '1': 'down', '2': 'up', '3': 'ssl_expiry' };

function tellOfRobot(payload: unknown, event: string): Told {
  const { monitorFriendlyName: name, monitorURL, alertDetails, alertFriendlyDuration } = Robot.parse(payload);
  const monitor = link(name, monitorURL);
  const lasted = alertFriendlyDuration ? ` after ${inline(alertFriendlyDuration)}` : '';
  const said: Record<string, string> = {
    down: `:cross_mark: ${monitor} is down.`,
    up: `:check: ${monitor} is up again${lasted}.`,
    ssl_expiry: `:warning: The certificate of ${monitor} is about to expire.`,
  };
  return { topic: name, content: `${said[event] ?? ''}${quote(alertDetails)}` };
}

/** Monitors of UptimeRobot. */
export const uptimerobot = integration({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  field: 'alerts',
  documentation: 'https://uptimerobot.com/integrations/webhooks/',
  where: 'Integrations & API › Webhook › Add; send as JSON (application/json)',
  body: JSON.stringify(
    {
      monitorFriendlyName: '*monitorFriendlyName*',
      monitorURL: '*monitorURL*',
      alertType: '*alertType*',
      alertDetails: '*alertDetails*',
      alertFriendlyDuration: '*alertFriendlyDuration*',
    },
    null,
    2,
  ),
  event(payload) {
    const { alertType } = Robot.parse(payload);
    return lookUp(robotTypes, alertType) ?? alertType;
  },
  events: kinds(
    {
      down: 'A monitor is down',
      up: 'A monitor is up again',
      ssl_expiry: 'A certificate is about to expire',
    },
    tellOfRobot,
  ),
  samples: samples.uptimerobot,
});

const Kuma = z.object({
  heartbeat: z
    .object({
      status: z.number(),
      msg: z.string().nullish(),
      ping: z.number().nullish(),
      localDateTime: z.string().nullish(),
      timezone: z.string().nullish(),
    })
    .nullish(),
  monitor: z
    .object({ name: z.string(), url: z.string().nullish(), hostname: z.string().nullish() })
    .nullish(),
  msg: z.string(),
});

const kumaStatuses: Record<string, string> = { '0': 'down', '1': 'up', '2': 'pending', '3': 'maintenance' };

const kumaEvent = (payload: unknown) => {
  const { heartbeat, monitor } = Kuma.parse(payload);
  return heartbeat && monitor
    ? (lookUp(kumaStatuses, String(heartbeat.status)) ?? `status ${heartbeat.status}`)
    : 'notice';
};

function tellOfKuma(payload: unknown, event: string): Told {
  const { heartbeat, monitor, msg } = Kuma.parse(payload);
  if (!monitor || !heartbeat)
    return { topic: 'Uptime Kuma', content: inline(msg) || 'Uptime Kuma sends here.' };
  // New monitors have this address before somebody enters one.
  const name = link(monitor.name, monitor.url === 'https://' ? undefined : monitor.url);
  const said: Record<string, string> = {
    down: `:cross_mark: ${name} is down.`,
    up: `:check: ${name} is up.`,
    pending: `:warning: ${name} does not answer, and is tried again.`,
    maintenance: `:construction: ${name} is under maintenance.`,
  };
  return { topic: monitor.name, content: `${said[event] ?? ''}${quote(heartbeat.msg)}` };
}

/** Monitors of Uptime Kuma. */
export const uptimekuma = integration({
  name: 'uptimekuma',
  displayName: 'Uptime Kuma',
  field: 'alerts',
  documentation: 'https://github.com/louislam/uptime-kuma/wiki/Notification-Methods',
  where: 'Settings › Notifications › Setup Notification › Webhook, request body: Preset application/json',
  event: kumaEvent,
  events: kinds(
    {
      down: 'A monitor is down',
      up: 'A monitor is up',
      pending: 'A monitor does not answer and is tried again',
      maintenance: 'A monitor is under maintenance',
      notice: 'A test, or a notice about no monitor',
    },
    tellOfKuma,
  ),
  samples: samples.uptimekuma,
});
