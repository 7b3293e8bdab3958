import type { Member } from '@taskwright/client'
import { Field } from '../../parts/form.tsx'
import { me } from '../../session/session.ts'
import { peopleWords } from './people-words.ts'

type Values = Pick<Member, 'name' | 'email' | 'role' | 'timezone'>

interface MemberFieldsProps {
  values: Values
  set: (change: Partial<Values>) => void
}

const roles = ['member', 'admin', 'owner'] as const

/** The form fields of a member. */
export function MemberFields({ values, set }: MemberFieldsProps) {
  return (
    <>
      <Field name="name" label={peopleWords.fields.name}>
        {(attributes) => (
          <input
            {...attributes}
            value={values.name}
            dir="auto"
            autocomplete="off"
            onInput={({ currentTarget }) => set({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field name="email" label={peopleWords.fields.email}>
        {(attributes) => (
          <input
            {...attributes}
            type="email"
            value={values.email}
            autocomplete="off"
            onInput={({ currentTarget }) => set({ email: currentTarget.value })}
          />
        )}
      </Field>
      <Field name="role" label={peopleWords.fields.role} hint={peopleWords.roleHint[values.role]}>
        {(attributes) => (
          <select
            {...attributes}
            value={values.role}
            onChange={({ currentTarget }) => {
              const role = roles.find((each) => each === currentTarget.value)
              if (role) set({ role })
            }}
          >
            {roles
              // only an owner can grant the role of owner
              .filter((role) => role !== 'owner' || me().member.role === 'owner')
              .map((role) => (
                <option key={role} value={role}>
                  {peopleWords.role[role]}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Field name="timezone" label={peopleWords.fields.timezone} hint={peopleWords.timezoneHint}>
        {(attributes) => (
          <input
            {...attributes}
            list="timezones"
            value={values.timezone ?? ''}
            autocomplete="off"
            spellcheck={false}
            placeholder={me().organization.timezone}
            onInput={({ currentTarget }) => set({ timezone: currentTarget.value || null })}
          />
        )}
      </Field>
      <datalist id="timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
