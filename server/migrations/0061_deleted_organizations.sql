-- Since when an organization is deleted: nothing opens it, and it can come back for 30 days. From erasure_begun_at on its rows
-- are taken away, and it can not. A claim of the operator is under nil ids, and says beside them of which organization its
-- answer tells: it goes with that.
-- beside 0.1.0: yes, it adds columns that may be absent; what is deleted is open in a server of 0.1.0 until that one ends.
alter table organizations
  add column deleted_since timestamptz(3),
  add column erasure_begun_at timestamptz(3);
create index organizations_deleted on organizations (org_id) where deleted_since is not null;
alter table idempotency_keys add column tells_of uuid;
