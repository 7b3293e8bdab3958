-- outside a transaction
-- Of long texts that changed, events keep the beginnings. Those written before are shortened too: a hundred edits of a
-- text of 50,000 characters would be a page of 10 MB. What is shortened already stays as it is.
update events set changes = (
  select json_object_agg(name, case when length(change ->> 'from') > 510 and json_typeof(change -> 'from') = 'string'
    or length(change ->> 'to') > 510 and json_typeof(change -> 'to') = 'string'
    then json_build_object(
      'from', case when json_typeof(change -> 'from') = 'string' and length(change ->> 'from') > 510
        then to_json(left(change ->> 'from', 510) || '…') else change -> 'from' end,
      'to', case when json_typeof(change -> 'to') = 'string' and length(change ->> 'to') > 510
        then to_json(left(change ->> 'to', 510) || '…') else change -> 'to' end,
      'shortened', true)
    else change end)
  from json_each(changes) as fields (name, change))
where octet_length(changes::text) > 1000;
