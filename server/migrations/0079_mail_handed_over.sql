-- beside 0.1.0: no, it cannot run beside 0074.
-- When the content of a mail began to go to the SMTP server. If the mail is neither sent nor failed, nobody knows whether it arrived.
alter table outgoing_mail add column handed_over_at timestamptz(3);
create index outgoing_mail_unsettled on outgoing_mail (handed_over_at) where handed_over_at is not null and sent_at is null and failed_at is null;
create index outgoing_mail_old on outgoing_mail (created_at);
