-- Commits a change by the rules of evaluateChange in backend.ts. The server runs a script in one step. All conditions are checked before the
-- first write. A full or read-only server refuses the first write of a script; once it has accepted one, it accepts all. So a change is made
-- as a whole or not at all.
--
-- KEYS: every add, put and remove, then the index of every member to add and to remove.
-- ARGV: the position of the once key among the puts (0 for none), how many adds, puts, removes and members to add there are; then of every add
-- field as it is before its number, by, atMost and expires, of every put entry and expires, of every member to add member, expires and from, every member to remove. Expiries are Unix
-- milliseconds. What is absent is an empty text.
-- Returns 0 when the change was made, -1 for a duplicate, and the position of the add that was refused.

local keys, argv, call, pcall, tonumber = KEYS, ARGV, redis.call, redis.pcall, tonumber
local match, find, sub, byte, format, abs = string.match, string.find, string.sub, string.byte, string.format, math.abs
local adds, puts, removes, members = tonumber(argv[2]), tonumber(argv[3]), tonumber(argv[4]), tonumber(argv[5])

-- Number.MAX_SAFE_INTEGER. Lua has the same numbers as JavaScript. '%.0f' prints all digits; tostring does not.
local LARGEST = 9007199254740991
local BRACE = byte('}')

local once = tonumber(argv[1])
if once > 0 and call('EXISTS', keys[adds + once]) == 1 then return -1 end

-- Of each entry with counters its text, and whether it is to be written. Matching is faster than decoding JSON.
local stored = adds > 0 and call('MGET', unpack(keys, 1, adds))
local entries, created, changed = {}, {}, {}
local at = 5
for position = 1, adds do
	local key, name, by, limit = keys[position], argv[at + 1], tonumber(argv[at + 2]), argv[at + 3]
	local head = name == '' and '{"value":' or '{"value":{'
	-- What is no text counts as absent in MGET, and is an error here.
	local entry, expires = entries[key] or stored[position] or pcall('GET', key), nil
	if type(entry) == 'table' then return entry end
	if not entry then
		expires = argv[at + 4]
		entry = head .. (name == '' and '0' or '}') .. (expires == '' and '}' or ',"expires":' .. expires .. '}')
	end
	-- The digits are after 'last'. A field that is absent is inserted as the first one.
	local last, digits = #head, ''
	if name ~= '' then
		local _, found = find(entry, name, last, true)
		if found then last, name = found, '' end
	end
	if name == '' then digits = match(entry, '^%-?%d+', last + 1) end
	local value = digits and find(entry, head, 1, true) == 1 and (digits == '' and 0 or tonumber(digits))
	if not value or abs(value) > LARGEST or (digits ~= '' and not find(entry, '^[,}]', last + #digits + 1)) then
		return redis.error_reply('EASEL An entry in the store is not a counter.')
	end
	local sum = value + by
	if by >= 0 and limit ~= '' and sum > tonumber(limit) then return position end
	if abs(sum) > LARGEST then
		return redis.error_reply('EASEL A counter in the store would exceed the largest safe integer.')
	end
	if by ~= 0 then
		local rest = sub(entry, last + #digits + 1)
		if name ~= '' and byte(rest) ~= BRACE then rest = ',' .. rest end
		entries[key] = sub(entry, 1, last) .. name .. format('%.0f', sum) .. rest
		created[key] = created[key] or expires
		changed[key] = true
	end
	at = at + 4
end

local function set(key, entry, expires)
	if expires == '' then call('SET', key, entry) else call('SET', key, entry, 'PXAT', expires) end
end
for position = adds + 1, adds + puts do changed[keys[position]] = nil end
for key in pairs(changed) do
	if created[key] then set(key, entries[key], created[key]) else call('SET', key, entries[key], 'KEEPTTL') end
end
local last = adds
for position = last + 1, last + puts do
	set(keys[position], argv[at + 1], argv[at + 2])
	at = at + 2
end
last = last + puts
for position = last + 1, last + removes do call('UNLINK', keys[position]) end
last = last + removes
for position = last + 1, last + members do
	if argv[at + 3] ~= '' then call('ZREMRANGEBYLEX', keys[position], '-', '(' .. argv[at + 3]) end
	call('ZADD', keys[position], '0', argv[at + 1])
	if argv[at + 2] ~= '' then call('PEXPIREAT', keys[position], argv[at + 2]) end
	at = at + 3
end
last = last + members
for position = last + 1, #keys do
	at = at + 1
	call('ZREM', keys[position], argv[at])
end
return 0
