CREATE TABLE `alert` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`count` integer NOT NULL,
	`due_at` integer NOT NULL,
	`raised_at` integer NOT NULL,
	`sent_at` integer,
	`email_count` integer NOT NULL,
	`chat_count` integer NOT NULL
);
CREATE UNIQUE INDEX `alert_waiting` ON `alert` (`workspace_id`,`kind`,`subject`) WHERE sent_at IS NULL;
CREATE INDEX `alert_raised` ON `alert` (`raised_at`);
CREATE INDEX `alert_workspace` ON `alert` (`workspace_id`,`raised_at`);
CREATE TABLE `alert_settings` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
);
CREATE TABLE `api_token` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`scope` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer
);
CREATE UNIQUE INDEX `api_token_hash` ON `api_token` (`hash`);
CREATE INDEX `api_token_workspace` ON `api_token` (`workspace_id`);
CREATE INDEX `api_token_user` ON `api_token` (`user_id`);
CREATE TABLE `audit_entry` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text,
	`actor_id` text,
	`api_token_id` text,
	`action` text NOT NULL,
	`target` text,
	`details` text,
	`at` integer NOT NULL
);
CREATE INDEX `audit_workspace` ON `audit_entry` (`workspace_id`,`seq`);
CREATE INDEX `audit_actor` ON `audit_entry` (`actor_id`,`seq`);
CREATE TABLE `change` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`pair_id` text NOT NULL,
	`run_id` text,
	`product_id` text NOT NULL,
	`variant_id` text,
	`field` text NOT NULL,
	`origin` text,
	`target` text,
	`from` text,
	`to` text,
	`cause` text NOT NULL,
	`at` integer NOT NULL
);
CREATE INDEX `change_product` ON `change` (`product_id`,`seq`);
CREATE INDEX `change_pair` ON `change` (`pair_id`,`seq`);
CREATE INDEX `change_run` ON `change` (`run_id`);
CREATE INDEX `change_guard` ON `change` (`pair_id`,`cause`,`at`);
CREATE INDEX `change_written` ON `change` (`pair_id`,`at`,`cause`,`target`) WHERE target IS NOT NULL;
CREATE TABLE `conflict` (
	`id` text PRIMARY KEY NOT NULL,
	`pair_id` text NOT NULL,
	`product_id` text NOT NULL,
	`field` text NOT NULL,
	`side` text NOT NULL,
	`base` text,
	`hub` text,
	`remote` text,
	`version` integer NOT NULL,
	`state` text NOT NULL,
	`resolution` text,
	`opened_at` integer NOT NULL,
	`remote_seen_at` integer NOT NULL,
	`closed_at` integer
);
CREATE UNIQUE INDEX `conflict_open` ON `conflict` (`product_id`,`field`,`side`) WHERE state = 'open';
CREATE INDEX `conflict_pair` ON `conflict` (`pair_id`,`state`);
CREATE INDEX `conflict_product` ON `conflict` (`product_id`,`state`);
CREATE INDEX `conflict_opened` ON `conflict` (`pair_id`,`opened_at`);
CREATE TABLE `contact_message` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`letter` text NOT NULL,
	`letter_index` text NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `contact_message_created` ON `contact_message` (`created_at`);
CREATE TABLE `delivery` (
	`store_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`topic` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`store_id`, `delivery_id`)
);
CREATE INDEX `delivery_received` ON `delivery` (`received_at`,`store_id`);
CREATE TABLE `endpoint` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`url` text NOT NULL,
	`description` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`secret_previous` text,
	`secret_previous_until` integer,
	`status` text NOT NULL,
	`status_reason` text,
	`failing_since` integer,
	`seen_seq` integer NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `endpoint_workspace` ON `endpoint` (`workspace_id`);
CREATE TABLE `endpoint_message` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`last_status` integer,
	`last_error` text,
	`last_ms` integer,
	`next_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
CREATE INDEX `endpoint_message_endpoint` ON `endpoint_message` (`endpoint_id`,`created_at`);
CREATE INDEX `endpoint_message_status` ON `endpoint_message` (`endpoint_id`,`status`,`created_at`,`id`);
CREATE INDEX `endpoint_message_created` ON `endpoint_message` (`created_at`);
CREATE TABLE `event` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`pair_id` text,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`at` integer NOT NULL
);
CREATE INDEX `event_workspace` ON `event` (`workspace_id`,`seq`);
CREATE INDEX `event_type` ON `event` (`workspace_id`,`type`,`pair_id`);
CREATE TABLE `external_identity` (
	`identity_index` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `external_identity_user` ON `external_identity` (`user_id`);
CREATE TABLE `idempotent_reply` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` integer,
	`body` text,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `idempotent_reply_created` ON `idempotent_reply` (`created_at`);
CREATE INDEX `idempotent_reply_workspace` ON `idempotent_reply` (`workspace_id`,`created_at`,`bytes`);
CREATE TABLE `invitation` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`email` text NOT NULL,
	`email_index` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`may_create_account` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
CREATE UNIQUE INDEX `invitation_token` ON `invitation` (`token_hash`);
CREATE UNIQUE INDEX `invitation_email` ON `invitation` (`workspace_id`,`email_index`);
CREATE INDEX `invitation_expires` ON `invitation` (`expires_at`);
CREATE TABLE `job` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`task` text NOT NULL,
	`group_key` text NOT NULL,
	`payload` text NOT NULL,
	`priority` integer NOT NULL,
	`run_at` integer NOT NULL,
	`state` text NOT NULL,
	`revision` integer NOT NULL,
	`attempts` integer NOT NULL,
	`faults` integer NOT NULL,
	`last_error` text,
	`dirty_since` integer NOT NULL
);
CREATE UNIQUE INDEX `job_key` ON `job` (`key`);
CREATE INDEX `job_lane` ON `job` (`state`,`group_key`,`task`,`priority`,`run_at`);
CREATE TABLE `mailed_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email_index` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
CREATE INDEX `mailed_token_user` ON `mailed_token` (`user_id`,`purpose`);
CREATE INDEX `mailed_token_expires` ON `mailed_token` (`expires_at`);
CREATE TABLE `membership` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `user_id`)
);
CREATE INDEX `membership_user` ON `membership` (`user_id`);
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
CREATE TABLE `observation` (
	`scan_id` text NOT NULL,
	`side` text NOT NULL,
	`external_id` text NOT NULL,
	`snapshot` text NOT NULL,
	PRIMARY KEY(`scan_id`, `side`, `external_id`)
);
CREATE TABLE `observation_key` (
	`scan_id` text NOT NULL,
	`side` text NOT NULL,
	`type` text NOT NULL,
	`value` text NOT NULL,
	`external_id` text NOT NULL
);
CREATE INDEX `observation_key_value` ON `observation_key` (`scan_id`,`type`,`value`,`side`);
CREATE INDEX `observation_key_record` ON `observation_key` (`scan_id`,`side`,`external_id`);
CREATE TABLE `observation_match` (
	`scan_id` text NOT NULL,
	`side` text NOT NULL,
	`external_id` text NOT NULL,
	PRIMARY KEY(`scan_id`, `side`, `external_id`)
);
CREATE TABLE `outbox_mail` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`mail` text NOT NULL,
	`recipient_index` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
CREATE INDEX `outbox_created` ON `outbox_mail` (`created_at`);
CREATE INDEX `outbox_state` ON `outbox_mail` (`state`,`created_at`);
CREATE INDEX `outbox_recipient` ON `outbox_mail` (`recipient_index`);
CREATE TABLE `pair` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`woocommerce_store_id` text NOT NULL,
	`shopify_store_id` text NOT NULL,
	`settings` text NOT NULL,
	`status` text NOT NULL,
	`halt` text,
	`guard_since` integer NOT NULL,
	`guard_waived_until` integer,
	`guard_waived_reason` text,
	`linked_at` integer,
	`scan_number` integer NOT NULL,
	`last_sync_at` integer,
	`accuracy` text,
	`created_at` integer NOT NULL
);
CREATE UNIQUE INDEX `pair_stores` ON `pair` (`woocommerce_store_id`,`shopify_store_id`);
CREATE INDEX `pair_workspace` ON `pair` (`workspace_id`);
CREATE INDEX `pair_shopify` ON `pair` (`shopify_store_id`);
CREATE TABLE `plan` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`pair_id` text NOT NULL,
	`status` text NOT NULL,
	`settings` text NOT NULL,
	`hash` text,
	`counts` text NOT NULL,
	`progress` integer NOT NULL,
	`error_code` text,
	`error_message` text,
	`created_at` integer NOT NULL,
	`ready_at` integer
);
CREATE INDEX `plan_pair` ON `plan` (`pair_id`,`created_at`);
CREATE TABLE `plan_item` (
	`plan_id` text NOT NULL,
	`seq` integer NOT NULL,
	`action` text NOT NULL,
	`product_id` text,
	`woocommerce_id` text,
	`shopify_id` text,
	`title` text NOT NULL,
	`sku` text NOT NULL,
	`fingerprint` text NOT NULL,
	`touches_woocommerce` integer NOT NULL,
	`touches_shopify` integer NOT NULL,
	`is_unlike` integer NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`plan_id`, `seq`)
);
CREATE INDEX `plan_item_list` ON `plan_item` (`plan_id`,`action`,`seq`,`touches_woocommerce`,`touches_shopify`,`is_unlike`,`title`,`sku`);
CREATE TABLE `problem` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`pair_id` text,
	`store_id` text,
	`product_id` text,
	`side` text,
	`subject` text NOT NULL,
	`code` text NOT NULL,
	`level` text NOT NULL,
	`message` text NOT NULL,
	`remedy` text NOT NULL,
	`details` text,
	`count` integer NOT NULL,
	`state` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL
);
CREATE UNIQUE INDEX `problem_open` ON `problem` (`pair_id`,`code`,`subject`,`workspace_id`) WHERE state = 'open';
CREATE INDEX `problem_pair` ON `problem` (`pair_id`,`state`);
CREATE INDEX `problem_product` ON `problem` (`product_id`,`state`);
CREATE INDEX `problem_subject` ON `problem` (`subject`,`code`);
CREATE INDEX `problem_workspace` ON `problem` (`workspace_id`,`state`,`last_at`,`id`,`level`,`code`,`pair_id`);
CREATE INDEX `problem_first` ON `problem` (`workspace_id`,`first_at`,`pair_id`);
CREATE TABLE `product` (
	`id` text PRIMARY KEY NOT NULL,
	`pair_id` text NOT NULL,
	`data` text NOT NULL,
	`seen` text NOT NULL,
	`state` text NOT NULL,
	`deleted_on` text,
	`prior_status` text,
	`title` text NOT NULL,
	`title_key` text NOT NULL,
	`image_url` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
CREATE INDEX `product_pair` ON `product` (`pair_id`,`id`);
CREATE INDEX `product_recent` ON `product` (`pair_id`,`updated_at`,`id`,`title`);
CREATE INDEX `product_title` ON `product` (`pair_id`,`title_key`);
CREATE INDEX `product_deleted` ON `product` (`pair_id`,`id`) WHERE state = 'deleted';
CREATE TABLE `product_binding` (
	`product_id` text NOT NULL,
	`side` text NOT NULL,
	`pair_id` text NOT NULL,
	`store_id` text NOT NULL,
	`external_id` text,
	`base` text,
	`intent` text,
	`fenced_until` integer,
	`admin_url` text NOT NULL,
	`made_at` integer,
	`seen_in_scan` integer NOT NULL,
	PRIMARY KEY(`product_id`, `side`)
);
CREATE UNIQUE INDEX `product_binding_external` ON `product_binding` (`pair_id`,`side`,`external_id`);
CREATE INDEX `product_binding_store` ON `product_binding` (`store_id`,`external_id`);
CREATE INDEX `product_binding_linked` ON `product_binding` (`pair_id`,`product_id`,`external_id`) WHERE external_id IS NOT NULL;
CREATE INDEX `product_binding_open` ON `product_binding` (`pair_id`,`product_id`) WHERE intent IS NOT NULL;
CREATE TABLE `recovery_code` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer
);
CREATE INDEX `recovery_code_user` ON `recovery_code` (`user_id`);
CREATE TABLE `refresh_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`rotated_at` integer
);
CREATE INDEX `refresh_token_session` ON `refresh_token` (`session_id`);
CREATE TABLE `run` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`pair_id` text NOT NULL,
	`plan_id` text,
	`trigger` text NOT NULL,
	`direction` text NOT NULL,
	`area` text NOT NULL,
	`status` text NOT NULL,
	`progress` integer NOT NULL,
	`stats` text NOT NULL,
	`error_code` text,
	`error_message` text,
	`cursor` integer NOT NULL,
	`scan_number` integer NOT NULL,
	`is_cancel_requested` integer NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer
);
CREATE INDEX `run_workspace` ON `run` (`workspace_id`,`started_at`);
CREATE INDEX `run_pair` ON `run` (`pair_id`,`started_at`);
CREATE TABLE `run_item` (
	`run_id` text NOT NULL,
	`subject` text NOT NULL,
	`title` text NOT NULL,
	`action` text NOT NULL,
	`outcome` text NOT NULL,
	`detail` text,
	`at` integer NOT NULL,
	PRIMARY KEY(`run_id`, `subject`)
);
CREATE INDEX `run_item_outcome` ON `run_item` (`run_id`,`outcome`,`subject`);
CREATE TABLE `scan_progress` (
	`scan_id` text NOT NULL,
	`side` text NOT NULL,
	`resume` text,
	`count` integer NOT NULL,
	`expected` integer,
	`is_complete` integer NOT NULL,
	PRIMARY KEY(`scan_id`, `side`)
);
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`is_remembered` integer NOT NULL,
	`device` text NOT NULL,
	`proved_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text
);
CREATE INDEX `session_user` ON `session` (`user_id`);
CREATE INDEX `session_expires` ON `session` (`expires_at`);
CREATE TABLE `store` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`platform` text NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`identity` text NOT NULL,
	`credentials` text NOT NULL,
	`webhook_secret` text NOT NULL,
	`webhook_secret_previous` text,
	`status` text NOT NULL,
	`status_reason` text,
	`info` text,
	`findings` text NOT NULL,
	`webhook_sources` text,
	`is_sandbox` integer NOT NULL,
	`changed_cursor` text,
	`last_contact_at` integer,
	`webhooks_checked_at` integer,
	`created_at` integer NOT NULL
);
CREATE UNIQUE INDEX `store_identity` ON `store` (`workspace_id`,`platform`,`identity`);
CREATE TABLE `usage` (
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`since` integer NOT NULL,
	`count` integer NOT NULL,
	`told_level` text,
	PRIMARY KEY(`workspace_id`, `kind`, `since`)
);
CREATE INDEX `usage_since` ON `usage` (`since`);
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`profile` text NOT NULL,
	`email_index` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`is_demo` integer NOT NULL,
	`verified_at` integer,
	`totp_secret` text,
	`totp_enabled_at` integer,
	`totp_last_step` integer,
	`newsletter_at` integer,
	`newsletter_source` text,
	`created_at` integer NOT NULL
);
CREATE UNIQUE INDEX `user_email` ON `user` (`email_index`);
CREATE TABLE `variant` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`pair_id` text NOT NULL,
	`quantity` integer NOT NULL,
	`stock_state` text NOT NULL,
	`kept_back` integer,
	`removed_base` text,
	`sku` text NOT NULL,
	`barcode` text NOT NULL
);
CREATE INDEX `variant_product` ON `variant` (`product_id`);
CREATE INDEX `variant_sku` ON `variant` (`pair_id`,sku COLLATE NOCASE);
CREATE INDEX `variant_barcode` ON `variant` (`pair_id`,`barcode`);
CREATE TABLE `variant_binding` (
	`variant_id` text NOT NULL,
	`side` text NOT NULL,
	`product_id` text NOT NULL,
	`pair_id` text NOT NULL,
	`store_id` text NOT NULL,
	`external_id` text NOT NULL,
	`stock_id` text NOT NULL,
	`base_quantity` integer NOT NULL,
	`base_tracked` integer NOT NULL,
	`intent_from` integer,
	`intent_to` integer,
	`intent_key` text,
	`intent_sent_at` integer,
	`fenced_until` integer,
	`provisional` integer NOT NULL,
	PRIMARY KEY(`variant_id`, `side`)
);
CREATE UNIQUE INDEX `variant_binding_external` ON `variant_binding` (`pair_id`,`side`,`external_id`);
CREATE INDEX `variant_binding_stock` ON `variant_binding` (`store_id`,`stock_id`);
CREATE INDEX `variant_binding_product` ON `variant_binding` (`product_id`);
CREATE INDEX `variant_binding_open` ON `variant_binding` (`pair_id`,`product_id`) WHERE intent_key IS NOT NULL;
CREATE TABLE `workspace` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`is_demo` integer NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `workspace_demo` ON `workspace` (`is_demo`);
