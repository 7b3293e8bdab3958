-- Who sees a whole organization is shown all rows but those of the few projects that are deleted.
create index projects_deleted_by_id on projects (org_id, id) where deleted_at is not null;
