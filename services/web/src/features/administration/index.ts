export { Administration } from './administration.tsx';
export { ChannelForm } from './channel-form.tsx';
export { NewChannel } from './new-channel.tsx';
