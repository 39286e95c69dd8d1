import type * as tables from './tables/index.ts';

export type AttachmentRow = typeof tables.attachments.$inferSelect;
export type ChannelFolderRow = typeof tables.channelFolders.$inferSelect;
export type ChannelRow = typeof tables.channels.$inferSelect;
export type DefaultChannelGroupRow = typeof tables.defaultChannelGroups.$inferSelect;
export type DraftRow = typeof tables.drafts.$inferSelect;
export type InvitationRow = typeof tables.invitations.$inferSelect;
export type LinkifierRow = typeof tables.linkifiers.$inferSelect;
export type MessageRow = typeof tables.messages.$inferSelect;
export type NavigationViewRow = typeof tables.navigationViews.$inferSelect;
export type PartialUploadRow = typeof tables.partialUploads.$inferSelect;
export type PlaygroundRow = typeof tables.playgrounds.$inferSelect;
export type ProfileFieldRow = typeof tables.customProfileFields.$inferSelect;
export type RealmDomainRow = typeof tables.realmDomains.$inferSelect;
export type SavedSnippetRow = typeof tables.savedSnippets.$inferSelect;
export type TopicRow = typeof tables.topics.$inferSelect;
export type UserGroupRow = typeof tables.userGroups.$inferSelect;
export type UserRow = typeof tables.users.$inferSelect;
