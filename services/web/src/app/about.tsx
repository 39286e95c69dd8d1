import { own } from '../data/live/state.ts';
import { aboutText } from '../strings/shell.ts';

/** Shows which server and organization this is. */
export const About = () => (
  <article class="plain-page">
    <h1>{own('realm_name')}</h1>
    <p>
      {aboutText.product} <a href="/api/docs">{aboutText.api}</a>
    </p>
    <p class="dim">{aboutText.version(String(own('parley_version')), String(own('zulip_feature_level')))}</p>
  </article>
);
