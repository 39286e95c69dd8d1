import { type NginxConfig, nginxConfig } from './nginx-config.ts';

/** nginx in a container of its own. Its names are those of `infra/compose/compose.yaml`. */
export const composeProxy: NginxConfig = {
  listen: '80',
  listenOnce: '127.0.0.1:8081',
  api: ['api:8080'],
  queue: ['queue:8080'],
  spare: { api: [], queue: [] },
  workers: 'auto',
  sources: [],
  connectionsPerWorker: 16_384,
  connectionsPerAddress: 512,
  trustedProxies: ['include /etc/nginx/trusted-proxies.conf;'],
  takesTraces: false,
  isSupervised: false,
};

/** The text of `infra/compose/nginx.conf`. */
export const composeProxyConfig = () => `# Made by npm run docs from infra/proxy/nginx-config.ts.
# nginx finds the nodes when it starts: after scaling them, docker compose exec proxy nginx -s reload
${nginxConfig(composeProxy)}`;
