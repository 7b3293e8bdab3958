-- Short names of time zones mean an offset without summer time here, or nothing at all, so they are spelt out.
update organizations set timezone = case upper(timezone)
  when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels'
  when 'EET' then 'Europe/Athens' when 'WET' then 'Europe/Lisbon' else 'UTC' end
where timezone not in ('UTC', 'GMT') and (timezone not like '%/%'
  or lower(timezone) not in (select lower(name) from pg_timezone_names));

-- What happened to a project belongs to it, as who sees it sees that.
update events set project_id = resource_id where type = 'project.restored';
