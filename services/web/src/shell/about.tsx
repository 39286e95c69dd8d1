import { own } from '../live/state.ts';

/** What server and organization this is. */
export const About = () => (
  <article class="plain-page">
    <h1>{own('realm_name')}</h1>
    <p>
      This is Parley, a team chat server. Its <a href="/api/docs">API</a> is all that this page uses.
    </p>
    <p class="dim">
      Version {String(own('zulip_version'))}, feature level {String(own('zulip_feature_level'))}
    </p>
  </article>
);
