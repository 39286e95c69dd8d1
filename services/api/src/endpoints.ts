import type { Endpoint } from './endpoint/kinds.ts';
import { fileEndpoints } from './files/endpoints.ts';
import { pictureEndpoints } from './files/picture-endpoints.ts';
import { staticEndpoints } from './files/static-endpoints.ts';
import { referenceEndpoints } from './openapi/reference.ts';
import { confirmEmailPages } from './pages/confirm-email.ts';
import { integrationPages } from './pages/integrations.ts';
import { joinPages } from './pages/join.ts';
import { loginPages } from './pages/login.ts';
import { oidcPages } from './pages/oidc.ts';
import { resetPasswordPages } from './pages/reset-password.ts';
import { unsubscribePages } from './pages/unsubscribe.ts';
import { routes } from './routes/index.ts';
import { probes } from './routes/probes.ts';
import { archiveEndpoints, tusEndpoints } from './tus/endpoints.ts';
import { webEndpoints } from './web/endpoints.ts';

/** Everything that API nodes answer. Hono takes the first that matches a path. */
export const endpoints: readonly Endpoint[] = [
  ...probes,
  ...staticEndpoints,
  ...routes,
  ...tusEndpoints,
  ...archiveEndpoints,
  ...loginPages,
  ...oidcPages,
  ...joinPages,
  ...unsubscribePages,
  ...confirmEmailPages,
  ...resetPasswordPages,
  ...integrationPages,
  ...fileEndpoints,
  ...pictureEndpoints,
  ...referenceEndpoints,
  ...webEndpoints,
];
