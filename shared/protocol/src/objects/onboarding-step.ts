import { z } from 'zod';

/** A notice that a client shows once. */
export const OnboardingStep = z.strictObject({ type: z.literal('one_time_notice'), name: z.string() });
export type OnboardingStep = z.infer<typeof OnboardingStep>;

/** The notices that clients know, in the order in which they are listed. */
export const onboardingSteps = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
] as const;
