import { integration, kinds } from '../integration.ts';
import { grafanaSamples } from '../samples/alert-groups.ts';
import { hmac } from '../signatures.ts';
import { alertKinds, statusOf, tellOfAlerts } from './alert-groups.ts';

/** Alerts of Grafana. */
export const grafana = integration({
  name: 'grafana',
  displayName: 'Grafana',
  field: 'alerts',
  documentation:
    'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
  where: 'Alerting › Contact points › Add contact point › Webhook',
  signature: hmac({ header: 'X-Grafana-Alerting-Signature' }),
  event: statusOf,
  events: kinds(alertKinds, tellOfAlerts),
  samples: grafanaSamples,
});
