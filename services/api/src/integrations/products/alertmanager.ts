import { integration, kinds } from '../integration.ts';
import { alertmanagerSamples } from '../samples/alert-groups.ts';
import { alertKinds, statusOf, tellOfAlerts } from './alert-groups.ts';

/** Groups of alerts of Prometheus. */
export const alertmanager = integration({
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  field: 'alerts',
  documentation: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
  where: 'alertmanager.yml › receivers › webhook_configs › url',
  event: statusOf,
  events: kinds(alertKinds, tellOfAlerts),
  samples: alertmanagerSamples,
});
