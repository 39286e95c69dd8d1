import { channelPrivacyText } from '../../strings/administration.ts';

/** The kinds of channels by who may read them, with the three fields of the API. */
export const privacies = {
  public: {
    title: channelPrivacyText.public,
    is_private: false,
    is_web_public: false,
    history_public_to_subscribers: true,
  },
  web: {
    title: channelPrivacyText.web,
    is_private: false,
    is_web_public: true,
    history_public_to_subscribers: true,
  },
  shared: {
    title: channelPrivacyText.shared,
    is_private: true,
    is_web_public: false,
    history_public_to_subscribers: true,
  },
  protected: {
    title: channelPrivacyText.protected,
    is_private: true,
    is_web_public: false,
    history_public_to_subscribers: false,
  },
} as const;

export type Privacy = keyof typeof privacies;

interface PrivacyFields {
  invite_only: boolean;
  is_web_public: boolean;
  history_public_to_subscribers: boolean;
}

export function privacyOf({
  invite_only,
  is_web_public,
  history_public_to_subscribers,
}: PrivacyFields): Privacy {
  if (is_web_public) return 'web';
  if (!invite_only) return 'public';
  return history_public_to_subscribers ? 'shared' : 'protected';
}
