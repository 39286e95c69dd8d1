import { go } from '../../base/router/fragment.ts';
import { channelsText } from '../../strings/channels.ts';
import { NewChannel } from '../administration/index.ts';
import { Crumbs } from './crumbs.tsx';

/** Lets somebody create a channel, and leads to its page. */
export const NewChannelPage = () => (
  <div class="channels-scroller">
    <Crumbs>{channelsText.create}</Crumbs>
    <NewChannel onCreated={(id) => go(`channels/${id}`)} />
  </div>
);
